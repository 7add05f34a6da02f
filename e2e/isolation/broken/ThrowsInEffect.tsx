import { useEffect } from 'react'

export default function Page() {
  useEffect(() => {
    throw new Error('broken in an effect')
  }, [])
  return <h1>Sắp hỏng</h1>
}
