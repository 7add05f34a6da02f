import { useEffect } from 'react'

/** Tries what the page's policy forbids. Each attempt is blocked, and the page still shows. */
export default function Page() {
  useEffect(() => {
    new Image().src = 'http://elsewhere.example/pixel.gif'
    void fetch('http://elsewhere.example/collect').catch(() => undefined)
  }, [])
  return <h1>Trang tò mò</h1>
}
