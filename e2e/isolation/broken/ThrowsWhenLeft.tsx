import { useEffect } from 'react'

export default function Page() {
  useEffect(
    () => () => {
      throw new Error('broken when left')
    },
    [],
  )
  return <h1>Hỏng khi rời đi</h1>
}
