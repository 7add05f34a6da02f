import { IDS } from '@anniversary/shared/contract/page-names'
import { type CSSProperties, useEffect, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'

/*
 * This file imports nothing that the first page has too, so that it costs pages
 * without a notice nothing.
 */

// Not a style sheet, whose hash every page would carry.
const NOTICE: CSSProperties = {
  display: 'flex',
  gap: 'var(--space-2)',
  alignItems: 'center',
  justifyContent: 'center',
  paddingInline: 'var(--space-4) var(--space-1)',
  background: 'var(--lacquer-700)',
  borderTop: '1px solid var(--line-strong)',
  fontSize: 'var(--text-sm)',
}
const TEXT: CSSProperties = {
  paddingBlock: 'var(--space-2)',
  textWrap: 'balance',
  overflowWrap: 'anywhere',
}
const CLOSE: CSSProperties = {
  flex: 'none',
  width: 'var(--target)',
  height: 'var(--target)',
  fontSize: 'var(--text-xl)',
}
const HOVERED_CLOSE: CSSProperties = { ...CLOSE, background: 'var(--tint)' }

const texts = { close: 'Đóng thông báo' }

let root: Root | undefined

/**
 * Shows a notice below the other banners, whose live region announces its text
 * once. Undefined takes it away, and so does its end.
 */
export function showSiteNotice(text: string | undefined, leftMs: number): void {
  root ??= createRoot(placeInRegion())
  const isOn = text !== undefined && leftMs > 0
  root.render(isOn && <NoticeBanner key={text} text={text} leftMs={leftMs} />)
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
function NoticeBanner({ text, leftMs }: { text: string; leftMs: number }) {
  const [isOpen, setOpen] = useState(true)
  const [isHovered, setHovered] = useState(false)

  useEffect(() => {
    const close = setTimeout(() => setOpen(false), leftMs)
    return () => clearTimeout(close)
  }, [leftMs])

  if (!isOpen) return null
  return (
    <div style={NOTICE}>
      <span style={TEXT}>{text}</span>
      <button
        type="button"
        style={isHovered ? HOVERED_CLOSE : CLOSE}
        aria-label={texts.close}
        onClick={() => setOpen(false)}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      >
        ×
      </button>
    </div>
  )
}
