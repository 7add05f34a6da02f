import { ingestActivity } from '../backoffice/ingest.ts'
import { claimMission } from '../claim/claim.ts'
import { findAnyMember, newMember, saveMembers } from '../login/members.ts'
import { endSession, newToken, sessionKey, startSession } from '../login/session.ts'
import type { Context } from '../server/context.ts'
import { demoActivity, demoClaims, demoMembers } from './demo-members.ts'

/**
 * Uses the code that serves members, at the demo's own times. Does nothing when
 * there are members.
 */
export async function loadDemoMembers({
  database,
  loginKeys,
  config,
}: Pick<Context, 'database' | 'loginKeys' | 'config'>): Promise<void> {
  await database.transaction(async (tx) => {
    if (await findAnyMember(tx)) return
    const saved = await saveMembers(
      tx,
      demoMembers.map(({ account, digits, addressRequired }) =>
        newMember(loginKeys, account, digits, addressRequired),
      ),
    )
    const owner = saved.find((member) => member.accountKey === demoClaims.account)
    // A concurrent start has saved them.
    if (!owner) return
    await ingestActivity(tx, demoActivity, new Date(demoClaims.missions[0]?.at ?? 0), 'demo')

    const session = sessionKey(newToken())
    await startSession(tx, session, owner.id, owner.bankHash, 1)
    for (const claim of demoClaims.missions) {
      const outcome = await claimMission(tx, {
        session,
        body: {
          event_code_detail: claim.mission,
          startTimeStreak: claim.streak?.[0],
          endTimeStreak: claim.streak?.[1],
          share_links: claim.links,
        },
        now: new Date(claim.at),
        shareHost: config.shareHost,
      })
      if (outcome.result !== 'granted')
        throw new Error(`the demo's claim of ${claim.mission} was refused: ${outcome.result}`)
    }

    await endSession(tx, session)
  })
}
