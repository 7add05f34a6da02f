import { useEffect, useReducer, useRef } from 'react'
import { embeddable, navigable, readyOrigins, sandboxFor } from '../../mf-megalive/src/element/addresses.ts'
import { IDLE, next, type Signal, type State } from '../../mf-megalive/src/element/phase.ts'
import { isReadyMessage } from '../../mf-megalive/src/element/ready-message.ts'
import { texts } from '../../mf-megalive/src/texts.ts'

export interface ReactEmbedProps {
  src: string
  timeout: number
  backHref: string | undefined
  label: string
  requireReady: boolean
  moreOrigins: string
  announce(name: string, detail: object): boolean
}

/**
 * The same embed in React, for comparison only: the same core, markup and events, with React in place of the element's
 * own DOM code.
 */
export function ReactEmbed(props: ReactEmbedProps) {
  const { src, timeout, backHref, label, requireReady, moreOrigins, announce } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [turn, retry] = useReducer((count: number) => count + 1, 0)
  const [state, signal] = useReducer((before: State, one: Signal) => next(before, one, requireReady), IDLE)
  const url = embeddable(src, document.baseURI, self.origin)
  const href = url?.href
  const ours = url?.origin === self.origin

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry starts the same address anew
  useEffect(() => {
    if (!url) {
      signal('refuse')
      announce('refused', { reason: 'src' })
      return
    }
    signal('start')
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (
        source === frame.current?.contentWindow &&
        isReadyMessage(data) &&
        readyOrigins(url, ours, moreOrigins).includes(origin)
      )
        signal('ready')
    }
    const onViolation = (event: SecurityPolicyViolationEvent) => {
      const { effectiveDirective, blockedURI, disposition } = event
      if (
        effectiveDirective === 'frame-src' &&
        disposition === 'enforce' &&
        blockedURI.startsWith(url.origin)
      )
        signal('blocked')
    }
    const timer = setTimeout(() => signal('timeout'), timeout)
    addEventListener('message', onMessage)
    document.addEventListener('securitypolicyviolation', onViolation)
    return () => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
      document.removeEventListener('securitypolicyviolation', onViolation)
    }
  }, [href, timeout, moreOrigins, turn])

  const { phase, proven } = state
  useEffect(() => {
    if (phase === 'shown') announce('ready', { by: proven ? 'message' : 'load' })
    if (phase === 'fallback') announce('timeout', {})
    if (phase === 'blocked') announce('refused', { reason: 'policy' })
  }, [phase, proven, announce])

  const back = backHref ? navigable(backHref, document.baseURI) : undefined
  return (
    <div className="root" part="root" data-phase={phase}>
      <div className="bar" part="bar">
        {back && (
          <a
            className="back"
            part="back"
            href={back}
            onClick={(event) => {
              if (!announce('back', { href: back })) event.preventDefault()
            }}
          >
            {texts.back}
          </a>
        )}
        {phase === 'shown' && !proven && (
          <span className="hint" part="hint">
            {texts.hint}
          </span>
        )}
        {href && (
          <a
            className="open"
            part="open"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => announce('open', { href })}
          >
            {texts.open}
          </a>
        )}
      </div>
      <div className="stage" part="stage">
        {href && (
          <iframe
            key={turn}
            ref={frame}
            className="frame"
            part="frame"
            title={label}
            sandbox={sandboxFor(ours)}
            allow=""
            referrerPolicy="no-referrer"
            inert={phase !== 'shown'}
            src={href}
            onLoad={() => signal('load')}
          />
        )}
        {phase === 'loading' && (
          <div className="cover overlay" part="cover overlay" role="status">
            <div className="spinner" part="spinner" />
            {texts.loading}
          </div>
        )}
        {phase === 'refused' && (
          <div className="cover refused" part="cover refused" role="alert">
            {texts.refused}
          </div>
        )}
        {href && (phase === 'fallback' || phase === 'blocked') && (
          <div className="fallback" part="fallback">
            <div className="message" part="message" role="alert">
              <p>{texts.unsupported}</p>
              <button type="button" className="retry" part="retry" onClick={retry}>
                {texts.retry}
              </button>
            </div>
            <object className="object" part="object" type="text/html" title={label} data={href}>
              <embed className="embed" part="embed" type="text/html" title={label} src={href} />
            </object>
          </div>
        )}
      </div>
    </div>
  )
}
