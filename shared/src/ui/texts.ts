/** Vietnamese texts of the ui primitives. */
export const texts = {
  close: 'Đóng',
  copy: 'Sao chép',
  copyCode: (code: string) => `Sao chép mã ${code}`,
  ticket: 'Vé số may mắn',
  days: 'ngày',
  hours: 'giờ',
  minutes: 'phút',
  seconds: 'giây',
}
