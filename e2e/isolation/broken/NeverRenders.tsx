import { use } from 'react'

const never = new Promise<string>(() => undefined)

export default function Page() {
  return <h1>{use(never)}</h1>
}
