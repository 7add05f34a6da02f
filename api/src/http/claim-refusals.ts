import { texts } from '../texts.ts'
import type { ClaimRefusal } from '../use-cases/claim.ts'
import { REFUSED } from './answers.ts'

/** What a refused claim answers: `status_code` and the member's message. */
export const claimRefusals: Readonly<Record<ClaimRefusal, readonly [number, string]>> = {
  'no-mission': [REFUSED.noMission, texts.noMission],
  'not-reached': [REFUSED.notReached, texts.notReached],
  'stage-closed': [REFUSED.closed, texts.stageClosed],
  'stage-full': [REFUSED.full, texts.stageFull],
  'dates-missing': [REFUSED.proof, texts.streakDatesMissing],
  'dates-reversed': [REFUSED.proof, texts.streakDatesReversed],
  'no-streak': [REFUSED.proof, texts.streakNotMet],
  'links-missing': [REFUSED.proof, texts.shareLinksMissing],
  'bad-links': [REFUSED.proof, texts.shareLinksWrong],
}
