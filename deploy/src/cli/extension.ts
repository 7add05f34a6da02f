import type { DeployCommand } from './command.ts'

/** Commands that another package adds, as deploy-server does. */
export interface Extension {
  /** Adds commands for everybody, also for callers of the publish API. */
  addCommands?(program: DeployCommand): void
  /** Adds commands that name places of this machine. */
  addLocalCommands?(program: DeployCommand): void
}
