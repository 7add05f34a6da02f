import { TestEnvironment } from 'jest-environment-jsdom'

/** Node's own keeps the process alive until it is closed; a browser's does not keep a page open. */
class PageBroadcastChannel extends BroadcastChannel {
  constructor(name) {
    super(name)
    this.unref()
  }
}

/** jsdom lacks fetch and its classes, which the router's data APIs need: Node lends its own. */
export default class extends TestEnvironment {
  async setup() {
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
