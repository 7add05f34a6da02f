import type {} from 'react'
import type { MegaLiveEvents } from './element/events.ts'
import type { MegaLiveElement } from './element/mega-live.ts'

type Listeners = {
  [Name in keyof MegaLiveEvents as `on${Name}`]?: (event: MegaLiveEvents[Name]) => void
}

/** React 18 passes on attributes only; 19 listens to events. */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'mega-live': DetailedHTMLProps<HTMLAttributes<MegaLiveElement>, MegaLiveElement> &
        Listeners & {
          src: string
          /** React 18 writes `className` as an attribute of that name. */
          class?: string
          timeout?: number
          'back-href'?: string
          label?: string
          'require-ready'?: boolean
        }
    }
  }
}
