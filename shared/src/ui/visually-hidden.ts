import styles from './visually-hidden.module.css'

export const visuallyHidden = styles.visuallyHidden
