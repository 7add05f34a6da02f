/** Every Vietnamese text of this remote. */
export const texts = {
  title: 'Trang mới',
  intro: 'Nội dung sẽ sớm có mặt.',
  back: 'Quay về',
}
