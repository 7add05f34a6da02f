import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, type NavigateFunction, useNavigate } from 'react-router-dom'
import { basePath } from '../loader/base-path.ts'

/** Starts the router, which keeps the history of the tab and shows nothing. @returns moves to a path of the app */
export const startRouter = (): Promise<NavigateFunction> =>
  new Promise((resolve) =>
    createRoot(document.createElement('div')).render(
      <BrowserRouter basename={basePath()}>
        <Navigator onReady={resolve} />
      </BrowserRouter>,
    ),
  )

function Navigator({ onReady }: { onReady(navigate: NavigateFunction): void }) {
  const navigate = useNavigate()
  useLayoutEffect(() => onReady(navigate), [navigate, onReady])
  return null
}
