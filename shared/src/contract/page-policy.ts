interface PolicySources {
  /** Hashes of the page's own inline scripts and styles. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** Origins of remotes, where they are not the site's. */
  readonly remotes?: readonly string[]
  /** Origins that the page calls. */
  readonly calls?: readonly string[]
  /** The embedded page of /megalive. */
  readonly frames?: readonly string[]
  /** Names of policies that the remotes' libraries create. */
  readonly trustedTypes?: readonly string[]
  readonly reportGroup?: string | undefined
}

export const renderPolicy = (directives: Record<string, readonly string[]>): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ')

/** A remote's harness has the same policy, so that faults show there. */
export function pagePolicyFrom({
  scripts = [],
  styles = [],
  remotes = [],
  calls = [],
  frames = ["'self'"],
  trustedTypes = [],
  reportGroup,
}: PolicySources = {}): string {
  return renderPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts, ...remotes],
    'style-src': ["'self'", ...styles, ...remotes],
    'img-src': ["'self'", 'data:', ...remotes],
    'font-src': ["'self'", ...remotes],
    'manifest-src': ["'self'"],
    // The shell retries a remote's files by fetch(), because it can be aborted.
    'connect-src': ["'self'", ...remotes, ...calls],
    // The fallback of the embedded page is <object> and <embed> (specification,
    // section 2). On every page, because the router moves to /megalive without
    // another document.
    'frame-src': frames,
    'object-src': frames,
    // A worker would answer for pages of all teams, also after its remote is
    // gone.
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    // The shell's default policy allows files of the composition and the
    // embedded page.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [
      'default',
      ...trustedTypes,
      // Two releases may create one library's policy twice. There is only one
      // default policy.
      ...(trustedTypes.length > 0 ? ["'allow-duplicates'"] : []),
    ],
    ...(reportGroup && { 'report-to': [reportGroup] }),
  })
}
