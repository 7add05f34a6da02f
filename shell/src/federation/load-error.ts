/**
 * Which part of a remote's way onto the page failed; reports name it.
 *
 * - `entry`: the container's entry could not be fetched or defined no container
 * - `chunk`: a script or style of the page could not be fetched
 * - `integrity`: a file arrived whole, with another content than the published one, and was not run
 * - `expose`: the files are there, but the module is missing or threw while it was evaluated
 * - `contract`: built for another host contract, or its page is no component
 * - `deadline`: nothing has failed, but nothing has come either
 */
export type LoadPhase = 'entry' | 'chunk' | 'integrity' | 'expose' | 'contract' | 'deadline'

export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: LoadPhase

  constructor(phase: LoadPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}

/** Also for one from the `core` script, which is another build: `instanceof` would not know it. */
export const isLoadError = (error: unknown): error is RemoteLoadError =>
  error instanceof Error && error.name === 'RemoteLoadError'
