/** A reason why the server cannot start, for the operator. The entry prints only its message and exits with 1. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}
