import { z } from 'zod'

/** What the smoke test saw of one page: a package's release on a route, under one shell. */
export const smokeResultSchema = z.object({
  shell: z.string(),
  package: z.string(),
  version: z.string(),
  route: z.string(),
  /** What broke. Unset when the page showed. */
  fault: z.string().optional(),
})
export type SmokeResult = z.infer<typeof smokeResultSchema>
