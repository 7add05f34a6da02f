// A module that waits at its top for what never comes: its import neither resolves nor rejects.
await new Promise(() => undefined)

export default function Page() {
  return null
}
