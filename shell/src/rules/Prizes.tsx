import styles from './Prizes.module.css'
import ball from './prizes/ball.svg'
import car from './prizes/car.svg'
import code from './prizes/code.svg'
import motorbike from './prizes/motorbike.svg'
import phone from './prizes/phone.svg'
import voucher from './prizes/voucher.svg'
import { texts } from './texts.ts'

const PICTURES = [car, ball, motorbike, phone, voucher, code]

/** The prizes with their numbers, the special one on top. */
export const Prizes = () => (
  <section className={styles.prizes}>
    <h3>{texts.prizes.title}</h3>
    <ul className={styles.list}>
      {texts.prizes.list.map(({ rank, name, count }, index) => (
        <li key={rank} className={styles.prize}>
          <img
            className={styles.picture}
            src={PICTURES[index]}
            alt=""
            width="160"
            height="112"
            loading="lazy"
          />
          <span className={styles.rank}>{rank}</span>
          <b className={styles.name}>{name}</b>
          <span className={styles.count}>{count}</span>
        </li>
      ))}
    </ul>
  </section>
)
