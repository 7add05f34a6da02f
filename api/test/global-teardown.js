// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function teardown() {
  await globalThis.apiTestServer?.stop()
}
