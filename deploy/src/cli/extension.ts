import type { DeployCommand } from './command.ts'
import type { ReportAnswers } from './report-commands.ts'

/** What another package adds, as deploy-server does. */
export interface Extension {
  readonly reports?: ReportAnswers
  /** Adds commands that name places of this machine. */
  addLocalCommands?(program: DeployCommand): void
}
