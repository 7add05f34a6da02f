import path from 'node:path'
import { Compilation, sources } from '@rspack/core'
import sharp from 'sharp'
import { atStage } from './at-stage.ts'

/** What link previews say about the site. */
export interface Site {
  readonly name: string
  readonly description: string
  /** What `link-card.svg` shows. */
  readonly cardAlt: string
}

const FAVICON_SIZE = 32
const TOUCH_ICON_SIZE = 180
/** Ground of the touch icon, `--lacquer-600`; phones round its corners. */
const GROUND = '#861522'

/** Files of the shell's build that its pages name. */
export const SITE_FILES = {
  card: 'link-card.jpg',
  icon: 'icon.svg',
  touchIcon: 'touch-icon.png',
  manifest: 'site.webmanifest',
} as const
/** Browsers ask for it unnamed. */
export const FAVICON = 'favicon.ico'

/**
 * Emits the pictures that need another format than SVG, and the web manifest.
 * @param artwork folder of `link-card.svg` and `icon.svg`
 */
export const siteFiles = (artwork: string, site: Site) =>
  atStage('site files', Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL, async (compilation) => {
    const emit = (file: string, bytes: Buffer) => compilation.emitAsset(file, new sources.RawSource(bytes))
    const drawing = (file: string) => sharp(path.join(artwork, file))
    const icon = (size: number) => drawing('icon.svg').resize(size)
    emit(SITE_FILES.card, await drawing('link-card.svg').jpeg({ quality: 80, mozjpeg: true }).toBuffer())
    // A PNG: browsers read a picture by its bytes.
    emit(FAVICON, await icon(FAVICON_SIZE).png().toBuffer())
    const touchIcon = icon(TOUCH_ICON_SIZE).flatten({ background: GROUND }).png({ palette: true })
    emit(SITE_FILES.touchIcon, await touchIcon.toBuffer())
    emit(SITE_FILES.manifest, Buffer.from(JSON.stringify(manifestOf(site))))
  })

const manifestOf = ({ name }: Site) => ({
  name,
  lang: 'vi',
  icons: [
    { src: SITE_FILES.icon, sizes: 'any', type: 'image/svg+xml' },
    { src: SITE_FILES.touchIcon, sizes: `${TOUCH_ICON_SIZE}x${TOUCH_ICON_SIZE}`, type: 'image/png' },
  ],
})
