import { z } from 'zod'

/** `build.json`, which every build writes beside its output, and `composition.json`, which the shell boots from. */

/** Folder beside a build's files that holds their source maps: `FILE.map` by file. No part of the build. */
export const SOURCE_MAPS = 'source-maps'

/** File of a build that hosts with upstream's runtime read, served as `/REMOTE/mf-manifest.json`. */
export const STOCK_MANIFEST = 'mf-manifest.json'
/** Limits far above real packages, so that no build bloats pages or blocks the publisher. */
export const BUILD_LIMITS = {
  files: 1000,
  path: 200,
  routes: 50,
  exposes: 100,
  text: 500,
  buildJson: 2 ** 20,
  /** Bytes, which every open page reads again and again. */
  release: 2 ** 16,
}

const text = z.string().max(BUILD_LIMITS.text)
const limited = <K extends z.ZodType<string, string>, V extends z.ZodType>(
  key: K,
  value: V,
  most: number,
) =>
  z
    .record(key, value)
    .refine((record) => Object.keys(record).length <= most, `at most ${most} entries`)

const integrity = z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/)
/** A path without empty or `.` segments: one file has one name. */
const file = z
  .string()
  .max(BUILD_LIMITS.path)
  .regex(
    /^(?!\.?(\/|$))(?!.*(\.\.|\/\.?(\/|$)))[\w./@+~-]+$/,
    "a file's name has letters from a to z, digits and . / _ @ + ~ - only",
  )
const contract = z.string().regex(/^\d+\.\d+$/)
const name = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/)
  .refine((name) => !(name in {}), 'this name is a property of every object')

/**
 * Names of Trusted Types policies that libraries inside a remote create (`vue`, `lit-html`): letters of the policy's grammar,
 * without its wildcard. The `default` one is the shell's.
 */
const trustedTypes = z
  .array(
    z
      .string()
      .max(60)
      .regex(
        /^(?!default$)[\w#=/@.%-]+$/i,
        'a policy has letters, digits and - # = _ / @ . % only',
      ),
  )
  .max(10)
  .optional()

const assets = z.object({
  /** Scripts in load order, without the entry. */
  js: z.array(file).max(BUILD_LIMITS.files),
  css: z.array(file).max(BUILD_LIMITS.files),
})

const routeSchema = z.object({
  title: text.min(1),
  /** For search engines and social networks; default: the site's. */
  description: text.optional(),
  protected: z.boolean().optional(),
  /** Fills the window and brings its own logo, without the shared layout. */
  fullscreen: z.boolean().optional(),
  skeleton: z.enum(['form', 'cards', 'table']).optional(),
  /** It calls the API at once, so the API's client is preloaded with it. */
  callsApi: z.boolean().optional(),
  /** Page that members mostly open from it: its files are fetched ahead. */
  next: z.string().startsWith('/').optional(),
})
export type Route = z.infer<typeof routeSchema>

const path = z.string().max(BUILD_LIMITS.path)
const remoteRoutesSchema = limited(
  path,
  routeSchema.extend({ expose: path.startsWith('./') }),
  BUILD_LIMITS.routes,
)
export type RemoteRoutes = z.infer<typeof remoteRoutesSchema>

const buildBase = z.object({
  name,
  version: z
    .string()
    .max(80)
    .regex(/^\d+\.\d+\.\d+[\w.+-]*$/),
  /** Version of the host contract that a remote needs or a host offers. */
  contract,
  /** Version of the API's calls that its pages need. Unset: none, or it was built before this was written down. */
  api: contract.optional(),
  files: limited(
    file,
    z.object({
      integrity,
      bytes: z.number().int(),
      /** Named by its content's hash, so all versions share it. Absent: it is this version's. */
      immutable: z.literal(true).optional(),
    }),
    BUILD_LIMITS.files,
  ),
  shared: limited(path, text, BUILD_LIMITS.exposes),
  /** Files that the site serves at its root, under a stable name: `{'/megalive-sample.html': 'sample.html'}`. */
  publicFiles: limited(path.startsWith('/'), file, BUILD_LIMITS.files).optional(),
})

export const buildSchema = z.discriminatedUnion('kind', [
  buildBase.extend({
    kind: z.literal('host'),
    /** Script that every page carries inline, before its files and its body. */
    firstScript: file.optional(),
    entry: assets,
    routeAssets: limited(path, assets, BUILD_LIMITS.routes).optional(),
    /** The API's client, for pages that call the API at once. */
    client: assets,
    routes: limited(path, routeSchema, BUILD_LIMITS.routes),
    page: z
      .object({
        icon: file.optional(),
        touchIcon: file.optional(),
        name: text.optional(),
        description: text.optional(),
        /** Picture of 1200 x 630 pixels that social networks show of a link. */
        card: file.optional(),
        cardAlt: text.optional(),
        themeColor: text.optional(),
        /**
         * HTML of a page's `#root` until the app renders: by path for its own screens, by skeleton for pages of remotes.
         * `deploy` puts the remote's prerendered page between `PLACE_MARKS`, and URLs for `%BASE%/FILE`.
         */
        skeletons: limited(path, file, BUILD_LIMITS.routes).optional(),
      })
      .optional(),
  }),
  buildBase.extend({
    kind: z.literal('remote'),
    entry: file,
    container: text,
    exposes: limited(path, assets, BUILD_LIMITS.exposes),
    routes: remoteRoutesSchema,
    /** HTML of a page's first render, by expose (contract/prerendered.ts). Absent: the route shows its skeleton. */
    prerendered: limited(path, file, BUILD_LIMITS.exposes).optional(),
    trustedTypes,
  }),
])
export type Build = z.infer<typeof buildSchema>
export type HostBuild = Extract<Build, { kind: 'host' }>
export type RemoteBuild = Extract<Build, { kind: 'remote' }>

const locatedFiles = z.array(z.object({ url: z.string(), integrity }))

/** One published version of a remote, for the loader. URLs are absolute, with or without origin. */
const releaseSchema = z.object({
  /** `<semver>-<content hash>`. */
  version: z.string(),
  entry: z.string(),
  integrity,
  container: z.string(),
  contract,
  /** Those of the current release are the site's. Absent: none. */
  routes: remoteRoutesSchema.optional(),
  exposes: z.record(z.string(), z.object({ js: locatedFiles, css: locatedFiles })),
  trustedTypes,
})
export type Release = z.infer<typeof releaseSchema>

const remoteSchema = z.object({
  status: z.enum(['on', 'off']),
  current: releaseSchema,
  /** Fallback of the loader, target of a rollback. */
  previous: releaseSchema.optional(),
  canary: z.object({ percent: z.number().min(0).max(100), release: releaseSchema }).optional(),
})
export type ComposedRemote = z.infer<typeof remoteSchema>

const noticeSchema = z.object({
  /** Plain text. */
  text: z.string(),
  /** ISO 8601. */
  until: z.iso.datetime(),
})
/** A sentence to everybody who is on the site. */
export type SiteNotice = z.infer<typeof noticeSchema>

export const compositionSchema = z.object({
  number: z.number().int().positive(),
  createdAt: z.string(),
  shell: z.object({
    version: z.string(),
    contract,
    firstScript: integrity.optional(),
  }),
  remotes: z.record(name, remoteSchema),
  /** Only in records, in the pointer, and in pages that are loaded while it holds. */
  notice: noticeSchema.optional(),
})
export type Composition = z.infer<typeof compositionSchema>

/** What one page carries: of the composition its own remote, with this page's files, and where the whole of it is. */
export interface PageComposition extends Composition {
  /** The whole composition, in a file that never changes. Absent: the page carries all of it. */
  readonly whole?: { readonly url: string; readonly integrity: string }
}
