# One matrix product for each matrix of a batch. Batches broadcast: one B may serve all A.
#
#   jitc run matrix_products.dsl --arg A=random:f8[10,4,5]:seed=1 --arg B=random:f8[10,5,3]:seed=2 --print
#   jitc run matrix_products.dsl --arg A=random:f4[2,1,7,9]:seed=3 --arg B=random:f4[3,9,2]:seed=4 --print
from numba import guvectorize


@guvectorize(["void(f4[:,:], f4[:,:], f4[:,:])", "void(f8[:,:], f8[:,:], f8[:,:])"], "(m,n),(n,p)->(m,p)")
def matrix_products(A, B, C):
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total = 0.0
            for k in range(A.shape[1]):
                total += A[i, k] * B[k, j]
            C[i, j] = total
