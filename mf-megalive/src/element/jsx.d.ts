import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { MegaLiveEvents } from './events.ts'
import type { MegaLiveElement } from './mega-live.ts'

/** The tag in React's JSX. React 18 passes on the attributes only; 19 listens to the event too. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'mega-live': DetailedHTMLProps<HTMLAttributes<MegaLiveElement>, MegaLiveElement> & {
        src: string
        'back-href'?: string
        'onmega-live-back'?: (event: MegaLiveEvents['mega-live-back']) => void
      }
    }
  }
}
