import type { Extension } from '@anniversary/deploy/cli/extension'
import { reportAnswers } from './report-answers.ts'

/** What this package adds to `deploy`, also for callers of the publish API. */
export const serverExtension: Extension = { reports: reportAnswers }
