import '@anniversary/mf-megalive'
import { createApp, h, ref } from 'vue'

// As a template compiler would write it for
// <mega-live :src="live" back-href="/" @mega-live-ready="…" @mega-live-back.prevent="…"></mega-live>
// with compilerOptions.isCustomElement = (tag) => tag === 'mega-live'.
const root = document.getElementById('root')

const CampaignPage = {
  setup() {
    const news = ref('đang tải')
    const open = ref(true)
    return () => [
      h('h1', 'Trang chiến dịch bằng Vue 3'),
      h('p', { role: 'status' }, `Trạng thái: ${news.value}`),
      h('button', { type: 'button', onClick: () => (open.value = !open.value) }, open.value ? 'Ẩn' : 'Hiện'),
      open.value
        ? h('mega-live', {
            src: root?.dataset.live,
            backHref: '/',
            'onMega-live-ready': ({ detail }: CustomEvent<{ by: string }>) => {
              news.value = `sẵn sàng (${detail.by})`
            },
            'onMega-live-back': (event: Event) => {
              event.preventDefault()
              news.value = 'đã quay về'
            },
          })
        : null,
    ]
  },
}

createApp(CampaignPage).mount('#root')
