import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './ImageButton.module.css'

export interface ImageButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** URL of the artwork, as the bundler gives it for an imported SVG. */
  src: string
  /** What the button does: the artwork is its only content. */
  alt: string
  /** Size of the artwork in CSS pixels; keeps its place while it loads. It shrinks with the space it has. */
  width: number
  height: number
}

/** A button whose content is artwork. */
export const ImageButton = ({ src, alt, width, height, className, ...rest }: ImageButtonProps) => (
  <button type="button" {...rest} className={classNames(styles.button, className)}>
    <img src={src} alt={alt} width={width} height={height} decoding="async" />
  </button>
)
