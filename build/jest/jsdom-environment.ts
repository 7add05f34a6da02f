import { BroadcastChannel } from 'node:worker_threads'
import { TestEnvironment } from 'jest-environment-jsdom'

/** Node's class keeps the process alive until the channel is closed; a browser's does not. */
class PageBroadcastChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    this.unref()
  }
}

/** jsdom with what browsers and Node have and it lacks. */
export default class extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup()
    Object.assign(this.global, {
      fetch,
      Request,
      Response,
      Headers,
      TextEncoder,
      TextDecoder,
      BroadcastChannel: PageBroadcastChannel,
      structuredClone,
    })
  }
}
