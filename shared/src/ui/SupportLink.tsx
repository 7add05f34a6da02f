import { uiTexts as texts } from '../texts.ts'

export const SupportLink = ({ url }: { url: string | undefined }) =>
  url && (
    <a href={url} target="_blank" rel="noreferrer">
      {texts.support}
    </a>
  )
