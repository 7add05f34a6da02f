import { createElement, useCallback, useEffect, useInsertionEffect, useRef } from 'react'
import { defineMegaLive } from './element/define.ts'
import type { MegaLiveEvents } from './element/events.ts'
import type { MegaLiveElement } from './element/mega-live.ts'

export interface MegaLiveProps {
  src: string
  /** Milliseconds; 10 000 unless set. */
  timeout?: number
  backHref?: string
  label?: string
  requireReady?: boolean
  readyOrigins?: string
  className?: string
  onReady?(event: MegaLiveEvents['mega-live-ready']): void
  onTimeout?(event: MegaLiveEvents['mega-live-timeout']): void
  onRefused?(event: MegaLiveEvents['mega-live-refused']): void
  /** `event.preventDefault()` keeps the page. */
  onBack?(event: MegaLiveEvents['mega-live-back']): void
  onOpen?(event: MegaLiveEvents['mega-live-open']): void
}

/**
 * The element as a React component for React 18 and 19. React 18 sets no properties of custom elements and hears none
 * of their events: hence attributes and listeners. `createElement` instead of JSX, whose bundled runtime would make
 * elements that the host's React does not know.
 */
export function MegaLive(props: MegaLiveProps) {
  const latest = useRef(props)
  // Before the commit changes the DOM, so that the events of a new address reach the new handler.
  useInsertionEffect(() => {
    latest.current = props
  })

  const ended = useRef<AbortController>(null)
  // A ref, not an effect: it runs before the embed's first event.
  const listen = useCallback((element: MegaLiveElement | null) => {
    ended.current?.abort()
    if (!element) return
    ended.current = new AbortController()
    const { signal } = ended.current
    element.addEventListener('mega-live-ready', (event) => latest.current.onReady?.(event), { signal })
    element.addEventListener('mega-live-timeout', (event) => latest.current.onTimeout?.(event), { signal })
    element.addEventListener('mega-live-refused', (event) => latest.current.onRefused?.(event), { signal })
    element.addEventListener('mega-live-back', (event) => latest.current.onBack?.(event), { signal })
    element.addEventListener('mega-live-open', (event) => latest.current.onOpen?.(event), { signal })
  }, [])

  useEffect(defineMegaLive, [])

  return createElement('mega-live', {
    ref: listen,
    src: props.src,
    timeout: props.timeout,
    'back-href': props.backHref,
    label: props.label,
    'require-ready': props.requireReady ? '' : undefined,
    'ready-origins': props.readyOrigins,
    class: props.className,
  })
}
