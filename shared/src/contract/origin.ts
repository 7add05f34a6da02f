import { z } from 'zod'

export const originSchema = z.object({
  /** Of the commit; `dirty`: the sources had changes beside it. */
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
  repository: z.string().optional(),
  /** The pipeline's run, or user and machine. */
  builder: z.string().optional(),
  lockfile: z.string().optional(),
})
/** Where a build came from. What is unknown is left out. */
export type Origin = z.infer<typeof originSchema>
