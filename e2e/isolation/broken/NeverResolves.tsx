// A top-level await that never ends, so the import neither resolves nor
// rejects.
await new Promise(() => undefined)

export default function Page() {
  return null
}
