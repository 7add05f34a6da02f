import { MegaLive } from '@anniversary/mf-megalive/react'
import { StrictMode, useState, version } from 'react'

/** A page of the brand in React: shows and hides the embed, and listens to it. */
export function CampaignPage({ live }: { live: string }) {
  const [open, setOpen] = useState(true)
  const [news, setNews] = useState('đang tải')
  return (
    <StrictMode>
      <h1>Trang chiến dịch bằng React {version}</h1>
      <p role="status">Trạng thái: {news}</p>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? 'Ẩn' : 'Hiện'}
      </button>
      {open && (
        <MegaLive
          src={live}
          backHref="/"
          onReady={({ detail }) => setNews(`sẵn sàng (${detail.by})`)}
          onTimeout={() => setNews('quá giờ')}
          onBack={(event) => {
            event.preventDefault()
            setNews('đã quay về')
          }}
        />
      )}
    </StrictMode>
  )
}
