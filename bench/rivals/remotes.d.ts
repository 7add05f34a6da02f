/** The pages of remotes, by the names that stock.config.js gives them. */
declare module 'mf_*' {
  const Page: import('react').ComponentType<import('@anniversary/shared/contract/host').PageProps>
  export default Page
}
