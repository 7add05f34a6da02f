import { type ReactNode, type RefObject, useLayoutEffect } from 'react'
import {
  BrowserRouter,
  type NavigateFunction,
  Route,
  Routes,
  useLocation,
  useNavigate,
} from 'react-router-dom'

/** It is a chunk with the router alone: what it imported of the shell, the first script could not bundle as tightly. */
interface RoutedPagesProps {
  /** The path in front of all routes. */
  readonly base: string
  readonly paths: readonly string[]
  /** The element of a route; of a path that is none, what leads to one. */
  pageOf(path: string): ReactNode
  /** The element that a page stands in. */
  frameOf(path: string, page: ReactNode): ReactNode
  readonly navigate: RefObject<NavigateFunction | null>
  /** False until the first move: then the first page still shows, which needed no router. */
  readonly isRouted: boolean
}

/** The pages after the first move, by react-router. */
export const RoutedPages = (props: RoutedPagesProps) => (
  <BrowserRouter basename={props.base}>
    <Pages {...props} />
  </BrowserRouter>
)

function Pages({ paths, pageOf, frameOf, navigate, isRouted }: RoutedPagesProps) {
  const go = useNavigate()
  const { pathname } = useLocation()
  useLayoutEffect(() => {
    navigate.current = go
    return () => {
      navigate.current = null
    }
  }, [navigate, go])
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
