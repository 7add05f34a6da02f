/** Why the server cannot start, in words for a person. The entry prints the message alone and exits with 1. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}
