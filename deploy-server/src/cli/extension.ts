import type { Extension } from '@anniversary/deploy/cli/extension'
import { addReportCommands } from './report-commands.ts'

/** Commands that this package adds to `deploy`, also for callers of the publish API. */
export const serverExtension: Extension = { addCommands: addReportCommands }
