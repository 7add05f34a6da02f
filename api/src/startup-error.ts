/** The entry prints only the message and exits with 1. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}
