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

/**
 * This chunk imports nothing of the first script, which would become larger.
 */
interface RoutedPagesProps {
  readonly base: string
  readonly paths: readonly string[]
  pageOf(path: string): ReactNode
  frameOf(path: string, page: ReactNode): ReactNode
  onRouter(go?: NavigateFunction): void
  /** False until the first move, while the page that needs no router shows. */
  readonly isRouted: boolean
}

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
