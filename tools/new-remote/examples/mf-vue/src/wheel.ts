import { createApp, defineComponent, h, ref } from 'vue'

/** @returns a function that removes the wheel */
export function mountWheel(place: Element, leave: () => void): () => void {
  const Wheel = defineComponent(() => {
    const turns = ref(0)
    return () => [
      // Vue writes HTML by its own Trusted Types policy, since the page's
      // default one has none for HTML.
      h('p', { innerHTML: 'Quay để nhận <strong>quà</strong>' }),
      h('button', { type: 'button', onClick: () => ++turns.value }, `Đã quay ${turns.value} lần`),
      h('button', { type: 'button', onClick: leave }, 'Về trang chủ'),
    ]
  })
  const app = createApp(Wheel)
  app.mount(place)
  return () => app.unmount()
}
