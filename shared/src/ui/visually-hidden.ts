import styles from './visually-hidden.module.css'

/** Class that hides an element from all but screen readers. */
export const visuallyHidden = styles.visuallyHidden
