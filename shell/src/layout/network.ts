import { createStore } from 'zustand/vanilla'

/** Whether the browser has a network. At first it has one, as in the page's HTML. */
export const network = createStore(() => ({ online: true }))

for (const type of ['online', 'offline'])
  addEventListener(type, () => network.setState({ online: type === 'online' }))
network.setState({ online: navigator.onLine })
