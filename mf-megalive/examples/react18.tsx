import '@anniversary/mf-megalive'
import type { MegaLiveElement } from '@anniversary/mf-megalive'
import { useLayoutEffect, useRef, useState, version } from 'react'
import { createRoot } from 'react-dom/client'

declare const SITE: string

/** React 18 does not listen to custom events by itself. */
function CampaignPage() {
  const [news, setNews] = useState('đang tải')
  const embed = useRef<MegaLiveElement>(null)
  // A passive effect can come after the first event.
  useLayoutEffect(() => {
    const { current } = embed
    if (!current) return
    const onReady = () => setNews('sẵn sàng')
    current.addEventListener('mega-live-ready', onReady)
    return () => current.removeEventListener('mega-live-ready', onReady)
  }, [])
  return (
    <>
      <h1>Trang chiến dịch bằng React {version}</h1>
      <p role="status">Trạng thái: {news}</p>
      <mega-live ref={embed} class="live" src={`${SITE}/megalive-sample.html`} back-href="/" />
    </>
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<CampaignPage />)
