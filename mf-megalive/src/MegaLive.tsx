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
 * The element as a React component, for React 18 and 19 alike: attributes go in as strings, events come out of
 * listeners. React 18 can neither set properties nor hear custom events; and JSX would bring its own runtime, whose
 * elements another React does not know, so `createElement` of the host's React is called by name.
 */
export function MegaLive(props: MegaLiveProps) {
  const latest = useRef(props)
  // Before the commit touches the page, so that an event which a new address causes finds the new handler.
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
