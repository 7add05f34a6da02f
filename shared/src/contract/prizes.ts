export type PrizeId = 'car' | 'ball' | 'motorbike' | 'phone' | 'voucher' | 'code'

/** The prizes, the best one first (specification, section 1). */
export const PRIZES: readonly {
  readonly id: PrizeId
  readonly rank: string
  readonly name: string
  readonly count: string
}[] = [
  { id: 'car', rank: 'Giải đặc biệt', name: 'Xe ô tô', count: 'Chỉ trong buổi quay cuối cùng' },
  { id: 'ball', rank: 'Giải nhất', name: 'Bóng vàng', count: '×3' },
  { id: 'motorbike', rank: 'Giải nhì', name: 'Xe máy', count: '×2' },
  { id: 'phone', rank: 'Giải ba', name: 'Điện thoại', count: '×2' },
  {
    id: 'voucher',
    rank: 'Giải khuyến khích',
    name: 'Voucher 10 triệu đồng',
    count: '×8, ×6, ×6 theo thứ tự ba buổi quay',
  },
  { id: 'code', rank: 'Mã thưởng', name: 'Code 999k', count: '×1.000 mỗi buổi quay' },
]
