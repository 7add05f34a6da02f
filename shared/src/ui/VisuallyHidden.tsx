import styles from './VisuallyHidden.module.css'

/** Class that hides an element from all but screen readers. */
export const visuallyHidden = styles.visuallyHidden
