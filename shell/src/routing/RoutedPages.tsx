import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import {
  BrowserRouter,
  type NavigateFunction,
  Route,
  Routes,
  useLocation,
  useNavigate,
} from 'react-router-dom'
import { ignoreSecondTaps } from './ignore-second-taps.ts'

/** This chunk imports nothing of the first script, which would become larger. */
interface RoutedPagesProps {
  /** The path in front of all routes. */
  readonly base: string
  readonly paths: readonly string[]
  /** The element of a route, or of an unknown path. */
  pageOf(path: string): ReactNode
  /** The layout of a path around its page. */
  frameOf(path: string, page: ReactNode): ReactNode
  /** Gets react-router's function while it is mounted. */
  onRouter(go?: NavigateFunction): void
  /** False until the first move, while the page that needs no router shows. */
  readonly isRouted: boolean
}

/** The pages after the first move, by react-router. */
export const RoutedPages = (props: RoutedPagesProps) => (
  <BrowserRouter basename={props.base}>
    <Pages {...props} />
  </BrowserRouter>
)

function Pages({ paths, pageOf, frameOf, onRouter, isRouted }: RoutedPagesProps) {
  const go = useNavigate()
  const { pathname } = useLocation()
  useLayoutEffect(() => {
    onRouter(go)
    return () => onRouter()
  }, [onRouter, go])
  useEffect(ignoreSecondTaps, [])

  if (!isRouted) return null
  return frameOf(
    pathname,
    <Routes>
      {paths.map((path) => (
        <Route key={path} path={path} caseSensitive element={pageOf(path)} />
      ))}
      <Route path="*" element={pageOf(pathname)} />
    </Routes>,
  )
}
