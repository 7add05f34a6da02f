/** What a config is asked for. Set by Rspack's command line (`rspack serve` sets `RSPACK_SERVE`) and by the dev servers. */
export interface Env {
  readonly RSPACK_SERVE?: boolean
  /**
   * The site that shows a dev server's build: that of `npm run dev`, whose host is a development build too, or a
   * deployed one. Absent: none, the remote is alone in its harness.
   */
  readonly site?: 'development' | 'deployed'
}

/** Path at which a site finds a package that a dev server builds. */
export const developmentPath = (name: string): string => `/${name}/dev/`
