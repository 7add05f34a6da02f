import type { SiteNotice } from '@anniversary/shared/contract/composition'
import { IDS } from '@anniversary/shared/contract/page-names'
import { useEffect, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import styles from './SiteNotice.module.css'

/*
 * This chunk imports nothing that the first page has too, so that its module
 * costs pages without a notice nothing.
 */

const texts = { close: 'Đóng thông báo' }

let root: Root | undefined

/**
 * Shows a notice below the other banners, whose live region announces its text
 * once. Undefined takes it away.
 */
export function showSiteNotice(notice: SiteNotice | undefined): void {
  root ??= createRoot(placeInRegion())
  root.render(notice && <NoticeBanner key={notice.text} {...notice} />)
}

function placeInRegion(): HTMLElement {
  const place = document.createElement('div')
  document.querySelector(`#${IDS.appRoot} > [role=status]`)?.append(place)
  return place
}

/**
 * It stays until its time or until the member closes it, also when the member
 * moves to another page.
 */
function NoticeBanner({ text, until }: SiteNotice) {
  const [isOpen, setOpen] = useState(true)

  useEffect(() => {
    const close = setTimeout(() => setOpen(false), Date.parse(until) - Date.now())
    return () => clearTimeout(close)
  }, [until])

  if (!isOpen) return null
  return (
    <div className={styles.notice}>
      <span>{text}</span>
      <button type="button" aria-label={texts.close} onClick={() => setOpen(false)}>
        ×
      </button>
    </div>
  )
}
