import { z } from 'zod'

/**
 * Version of the API's calls, which `/livez` names and a page needs: a major
 * breaks pages, a minor adds. Raise the minor with each call or field that
 * pages begin to use.
 */
export const API_CONTRACT = '1.0'

/** Answer of `/livez`: what runs. A newer API names more. */
export const livezAnswer = z.object({
  status: z.literal('ok'),
  version: z.string(),
  commit: z.string(),
  contract: z.string(),
  /** What the site's configuration repeats. An older API names neither. */
  site: z.string().optional(),
  share_host: z.string().optional(),
  /** The event's time, where EVENT_NOW lets it differ from real time. */
  event_now: z.string().optional(),
})
