import { ROUTER_ATTRIBUTE } from '@anniversary/shared/contract/element-ids'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import {
  BrowserRouter,
  type NavigateFunction,
  Route,
  Routes,
  useLocation,
  useNavigate,
} from 'react-router-dom'
import { basePath, plainPath } from '../loader/base-path.ts'
import { PageFrame, type PageProps, pageOf, useRoutes } from './pages.tsx'

interface RoutedPagesProps extends PageProps {
  readonly navigate: RefObject<NavigateFunction | null>
  /** False until the first move: then the first page still shows, which needed no router. */
  readonly isRouted: boolean
}

/** The pages after the first move, by react-router. It is a chunk of its own, with the router. */
export const RoutedPages = (props: RoutedPagesProps) => (
  <BrowserRouter basename={basePath()}>
    <Pages {...props} />
  </BrowserRouter>
)

function Pages({ navigate, isRouted, ...props }: RoutedPagesProps) {
  const go = useNavigate()
  const path = plainPath(useLocation().pathname)
  const routes = useRoutes(props.loader)
  useLayoutEffect(() => {
    navigate.current = go
    return () => {
      navigate.current = null
    }
  }, [navigate, go])
  useEffect(() => document.documentElement.setAttribute(ROUTER_ATTRIBUTE, ''), [])
  if (!isRouted) return null
  return (
    <PageFrame path={path} route={routes[path]} isMove>
      <Routes>
        {Object.entries(routes).map(([at, route]) => (
          <Route key={at} path={at} caseSensitive element={pageOf(at, route, props)} />
        ))}
        <Route path="*" element={pageOf(path, undefined, props)} />
      </Routes>
    </PageFrame>
  )
}
