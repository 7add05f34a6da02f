export default function Page(): never {
  throw new Error('broken in render')
}
