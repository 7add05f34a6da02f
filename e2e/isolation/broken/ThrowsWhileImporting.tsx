throw new Error('broken while importing')

export default function Page() {
  return null
}
