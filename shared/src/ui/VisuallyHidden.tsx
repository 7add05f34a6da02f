import styles from './VisuallyHidden.module.css'

/** Class of what only screen readers get. */
export const visuallyHidden = styles.visuallyHidden
