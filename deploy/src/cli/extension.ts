import type { SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import type { DeployCommand } from './command.ts'

/** Commands and texts that another package adds, as deploy-server does. */
export interface Extension {
  /** Adds commands for everybody, also for callers of the publish API. */
  addCommands?(program: DeployCommand): void
  /** Adds commands that name places of this machine. */
  addLocalCommands?(program: DeployCommand): void
  /** Returns further lines of `deploy status`. */
  statusLines?(target: Target, site: SiteRecord): Promise<readonly string[]>
}
